declare module 'swagger-ui-dist' {
  /** The folder that holds the viewer's files. */
  export function absolutePath(): string;
}
