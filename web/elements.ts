/** In a bundle, these functions are shorter than those of preact/jsx-runtime. */
export { Fragment, h } from 'preact';
