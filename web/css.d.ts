/** Style sheets are imported so that the bundler collects them. */
declare module '*.css';
