/**
 * The functions to which the build turns elements: in a bundle, these names are shorter than the functions of
 * preact/jsx-runtime.
 */
export { Fragment, h } from 'preact';
