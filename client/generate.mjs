// Writes the types of the client from the OpenAPI document:
//   node client/generate.mjs <document.json or folder of the build> [output file]
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const [source, output = join(import.meta.dirname, 'src', 'schema.ts')] = process.argv.slice(2);
if (source === undefined) throw new Error('Name the OpenAPI document, or the folder of the build.');

/** The document of the built API. */
function served(build) {
  const require = createRequire(import.meta.url);
  const { createApi } = require(resolve(build, 'src', 'app.js'));
  const { buildOpenApi } = require(resolve(build, 'src', 'openapi', 'openapi.js'));
  // Handlers are only registered here, never called, so they need no dependencies.
  return buildOpenApi(createApi({ endpoints: {}, events: {} }).operations);
}

const document = source.endsWith('.json') ? JSON.parse(readFileSync(source, 'utf8')) : served(source);
// `fetch` ignores the types of headers, which would be a third of the file.
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const answers = [document.components, ...operations].flatMap(({ responses }) => Object.values(responses));
for (const answer of answers) delete answer.headers;
delete document.components.headers;

const ast = await openapiTS(document, {
  alphabetize: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  defaultNonNullable: false,
});
writeFileSync(
  output,
  `// Made by \`npm run client:generate\` from the OpenAPI document. Don't edit.\n\n${astToString(ast)}`,
);
