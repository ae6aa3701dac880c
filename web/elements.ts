/** After bundling, these functions take fewer bytes than those of preact/jsx-runtime. */
export { Fragment, h } from 'preact';
