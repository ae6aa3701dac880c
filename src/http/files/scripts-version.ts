/**
 * A placeholder in the page's built script, in the names of scripts that it loads later. The served script
 * has the version of all scripts in its place: the build shortens names, so only the scripts of one build fit
 * together.
 */
export const SCRIPTS_VERSION = '{scripts}';
