import { shellQuoted } from '../domain/shell-quoted';
import { html, prose, type Markup } from './html';
import { fieldList, membersOf, referredName, typeOf, type Field, type Schema } from './reference-schemas';

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface Header {
  readonly $ref?: string;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Parameter extends Field {
  readonly in: 'path' | 'query' | 'header';
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** What is read of an OpenAPI 3.1 document. */
interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

interface Place {
  readonly method: string;
  /** Of a webhook: undefined, because the receiver chooses it. */
  readonly path: string | undefined;
  readonly operation: DocumentedOperation;
}

const PARAMETERS = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

/**
 * Writes an OpenAPI document as the content of a page that needs no script.
 *
 * @param openApi what `buildOpenApi` makes
 * @returns HTML: a `nav` and a `main`
 */
export function renderReference(openApi: object): string {
  const document = openApi as OpenApiDocument;
  const { info, tags, components } = document;
  const places = placesOf(document);
  const groups = tags.map(({ name, description }) => ({
    name,
    id: `tag-${name.replaceAll(' ', '-')}`,
    description,
    places: places.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return html` <nav aria-label="Operations">
      <ul>
        ${groups.map(
          (group) =>
            html`<li>
              <a href="#${group.id}">${group.name}</a>
              <ul>
                ${group.places.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
              </ul>
            </li>`,
        )}
        <li><a href="#errors">Errors</a></li>
        <li><a href="#headers">Headers of answers</a></li>
        <li><a href="#schemas">Schemas</a></li>
      </ul>
    </nav>
    <main id="main" tabindex="-1">
      <h1>${info.title}</h1>
      <p>${prose(info.description)}</p>
      <p>This page shows <a href="/openapi.json">the OpenAPI document</a>.</p>
      <h2>Authentication</h2>
      ${Object.values(components.securitySchemes).map(({ description }) => html`<p>${prose(description)}</p>`)}
      ${groups.map(
        (group) =>
          html`<section id="${group.id}" aria-labelledby="${group.id}-name">
            <h2 id="${group.id}-name">${group.name}</h2>
            <p>${prose(group.description)}</p>
            ${group.places.map((place) => operationSection(place, components))}
          </section>`,
      )}
      <section id="errors" aria-labelledby="errors-name">
        <h2 id="errors-name">Errors</h2>
        <p>Operations name these answers by their status.</p>
        ${Object.entries(components.responses).map(
          ([name, answer]) =>
            html`<section id="error-${name}">
              <h3>${name}</h3>
              ${answerContent(answer)}
            </section>`,
        )}
      </section>
      <section id="headers" aria-labelledby="headers-name">
        <h2 id="headers-name">Headers of answers</h2>
        ${headerList(components.headers)}
      </section>
      <section id="schemas" aria-labelledby="schemas-name">
        <h2 id="schemas-name">Schemas</h2>
        ${Object.entries(components.schemas).map(
          ([name, schema]) =>
            html`<section id="schema-${name}">
              <h3>${name}</h3>
              ${schema.description !== undefined && html`<p>${prose(schema.description)}</p>`}
              ${schema.properties ? membersOf(schema) : html`<p class="type">${typeOf(schema)}</p>`}
            </section>`,
        )}
      </section>
    </main>`.text;
}

function placesOf({ paths, webhooks }: OpenApiDocument): Place[] {
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    ),
    ...Object.values(webhooks).map(({ post }) => ({ method: 'POST', path: undefined, operation: post })),
  ];
}

function operationSection(place: Place, { schemas }: OpenApiDocument['components']): Markup {
  const { method, path, operation } = place;
  const { operationId: id, summary, description, parameters, requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const bodySchema = body && (body.schema.$ref ? schemas[referredName(body.schema.$ref)] : body.schema);
  return html`<section id="${id}" aria-labelledby="${id}-name">
    <h3 id="${id}-name"><a href="#${id}">${summary}</a></h3>
    <p class="call"><span class="method">${method}</span> <code>${path ?? 'the URL of the endpoint'}</code></p>
    <p>${prose(description)}</p>
    ${Object.entries(PARAMETERS).map(([where, title]) => {
      const fields = parameters.filter((parameter) => parameter.in === where);
      return (
        fields.length > 0 &&
        html`<h4>${title}</h4>
          ${fieldList(fields)}`
      );
    })}
    ${
      body &&
      html`<h4>Body</h4>
        <p class="type">${typeOf(body.schema)}</p>
        ${bodySchema && membersOf(bodySchema)}`
    }
    ${
      path !== undefined &&
      html`<h4>Example</h4>
        <pre>${curlOf({ ...place, path }, body)}</pre>`
    }
    <h4>Answers</h4>
    <ul class="answers">
      ${Object.entries(responses).map(
        ([status, answer]) =>
          html`<li>
            <span class="status">${status}</span>
            <div>${answerContent(answer)}</div>
          </li>`,
      )}
    </ul>
  </section>`;
}

function answerContent({ $ref, description, headers = {}, content = {} }: Answer): Markup {
  if ($ref !== undefined) return html`<p><a href="#error-${referredName($ref)}">${referredName($ref)}</a></p>`;
  const own = Object.fromEntries(Object.entries(headers).filter(([, header]) => header.$ref === undefined));
  return html`<p>${prose(description)}</p>
    ${Object.keys(own).length > 0 && headerList(own)}
    ${Object.entries(content).map(
      ([mediaType, { schema, example, examples = {} }]) =>
        html`<p class="type"><code>${mediaType}</code>: ${typeOf(schema)}</p>
          ${example !== undefined && html`<pre>${written(example)}</pre>`}
          ${Object.values(examples).map(
            ({ summary, value }) =>
              html`<p>${summary}</p>
                <pre>${written(value)}</pre>`,
          )}`,
    )}`;
}

function headerList(headers: Readonly<Record<string, Header>>): Markup {
  return fieldList(
    Object.entries(headers).map(([name, { description, schema = {} }]) => ({
      name,
      schema,
      ...(description !== undefined && { description }),
    })),
  );
}

function written(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

/** The call as a command, with the variables of the README. */
function curlOf({ method, path, operation }: Place & { readonly path: string }, body: Content | undefined): string {
  const example = body?.example;
  // An alternative without any scheme means that no key is needed.
  const needsKey = operation.security?.every((alternative) => Object.keys(alternative).length > 0) ?? true;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$EVERPOST_URL${path}"`,
    needsKey && '-H "Authorization: Bearer $EVERPOST_KEY"',
    body && "-H 'Content-Type: application/json'",
    example !== undefined && `-d ${shellQuoted(JSON.stringify(example))}`,
  ]
    .filter((part) => part !== false && part !== undefined)
    .join(' \\\n  ');
}
