/**
 * A placeholder in the page's built script, in the names of scripts that it loads later. The served one has
 * the version of all scripts there: the build shortens names, so only one build's scripts fit together.
 */
export const SCRIPTS_VERSION = '{scripts}';
