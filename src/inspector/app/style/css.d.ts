/** esbuild bundles the style sheets. */
declare module "*.css";
