/**
 * What the built script of the page has in the names of the scripts that it loads later, where the served one
 * has the version of all of them: the build shortens the names of texts, so only scripts of one build fit.
 */
export const SCRIPTS_VERSION = '{scripts}';
