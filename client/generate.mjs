// Writes the types of the client, src/schema.ts, from the OpenAPI document of the built API. `npm run build` runs it:
//   node client/generate.mjs <folder of the build>
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const [build] = process.argv.slice(2);
if (build === undefined) throw new Error('Name the folder of the build.');

const require = createRequire(import.meta.url);
const { describeOperations } = require(resolve(build, 'src', 'operations.js'));
const { buildOpenApi } = require(resolve(build, 'src', 'openapi', 'openapi.js'));
const document = buildOpenApi(describeOperations().api.operations);

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
// A schema whose values a release may add to is `string`. The values of today get a type of their own, because openapi-fetch
// turns `'a' | (string & {})` into an object.
const known = Object.entries(document.components.schemas).flatMap(([name, { 'x-extensible-enum': values }]) =>
  values
    ? [
        `/** The values of \`${name}\` today. */\nexport type Known${name} = ${values.map((it) => `'${it}'`).join(' | ')};\n`,
      ]
    : [],
);

writeFileSync(
  join(import.meta.dirname, 'src', 'schema.ts'),
  `// Made by \`npm run build\` from the OpenAPI document. Don't edit.\n\n${astToString(ast)}\n${known.join('\n')}`,
);
