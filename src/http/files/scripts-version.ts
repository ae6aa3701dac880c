/** The placeholder for the version of all scripts, because only scripts of one build fit together. */
export const SCRIPTS_VERSION = '{scripts}';
