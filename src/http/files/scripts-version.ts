/** The placeholder for the version of all scripts. Only scripts of one build work together. */
export const SCRIPTS_VERSION = '{scripts}';
