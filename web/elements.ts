/**
 * The functions that the build uses for elements. In a bundle, they are shorter than those of
 * preact/jsx-runtime.
 */
export { Fragment, h } from 'preact';
