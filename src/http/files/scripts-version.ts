/**
 * A placeholder in the built script of the page, in the names of the scripts that it loads later. The served
 * script has the version of all scripts there: the build shortens names, so only scripts of one build fit
 * together.
 */
export const SCRIPTS_VERSION = '{scripts}';
