/**
 * The functions with which the build creates elements. In a bundle, they are shorter than those of
 * preact/jsx-runtime.
 */
export { Fragment, h } from 'preact';
