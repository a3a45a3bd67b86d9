declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Renders the viewer into an element. `validatorUrl: null` keeps it from asking a host of its vendor. */
  export default function SwaggerUI(options: {
    url: string;
    dom_id: string;
    deepLinking: boolean;
    validatorUrl: string | null;
  }): void;
}
