/**
 * The page's built script has this placeholder in the names of the scripts that it loads later. The served
 * script has the version of all scripts instead, because the build shortens names: only scripts of one build
 * fit together.
 */
export const SCRIPTS_VERSION = '{scripts}';
