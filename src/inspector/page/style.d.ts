// The build handles style sheets; the type checker only needs to know that they exist.
declare module '*.css';
