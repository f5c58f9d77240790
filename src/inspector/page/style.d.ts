// Style sheets are taken in by the build, not by the type check.
declare module '*.css';
