/** What the build makes of each element: in a bundle, these names are shorter than the functions of preact/jsx-runtime. */
export { Fragment, h } from 'preact';
