import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** What is wrong with a value or with a schema, at a dotted path. */
export interface SchemaError {
  readonly path: string;
  readonly message: string;
}

/** @returns what is wrong with `data`, at most `MAX_ERRORS`; empty if nothing is */
export type CheckData = (data: unknown) => readonly SchemaError[];

/** The most errors that one check tells. */
const MAX_ERRORS = 10;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** A schema that can't be used; `details` say why, at paths that begin with `schema`. */
export class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError';
  readonly details: readonly SchemaError[];

  constructor(details: readonly SchemaError[]) {
    super(details.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.details = details;
  }
}

/**
 * Compiles a JSON Schema of the draft 2020-12. Unknown keywords and formats are annotations, as the draft says.
 *
 * @throws UnusableSchemaError for a schema that is not valid, or that refers to another document
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): CheckData {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: true, logger: false });
  addFormats(ajv);
  const draft = schema['$schema'];
  if (draft !== undefined && draft !== DRAFT && draft !== `${DRAFT}#`)
    throw unusable('schema.$schema', `must be ${DRAFT}: other drafts are not supported`);
  // Its check would be a promise, which is no part of the draft.
  if ('$async' in schema) throw unusable('schema.$async', 'is not supported');
  if (!ajv.validateSchema(schema)) throw new UnusableSchemaError(errorsOf(ajv.errors, 'schema'));
  const validate = compiled(ajv, schema);
  return (data) => (validate(data) ? [] : errorsOf(validate.errors, 'data'));
}

function compiled(ajv: Ajv2020, schema: object): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof Ajv2020.MissingRefError)
      throw unusable('schema', `must not refer to ${error.missingRef}: a $ref points to a place in the schema itself`);
    throw unusable('schema', error instanceof Error ? error.message : String(error));
  }
}

function unusable(path: string, message: string): UnusableSchemaError {
  return new UnusableSchemaError([{ path, message }]);
}

function errorsOf(errors: ValidateFunction['errors'], root: string): SchemaError[] {
  return (errors ?? [])
    .slice(0, MAX_ERRORS)
    .map((error) => ({ path: pathOf(error, root), message: wordsOf(error).slice(0, MAX_MESSAGE_LENGTH) }));
}

/** Long enough for a sentence; an enum may be as long as the schema. */
const MAX_MESSAGE_LENGTH = 300;
/** A key of the data may be as long as the data. */
const MAX_PATH_LENGTH = 200;

/** `/customer/emails/0` → `data.customer.emails[0]`, as in the details of other errors. */
function pathOf({ instancePath, keyword, params }: ErrorObject, root: string): string {
  const parts = instancePath.split('/').slice(1).map(decodePointer);
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : [];
  const unexpected = keyword === 'additionalProperties' ? [String(params['additionalProperty'])] : [];
  return [...parts, ...missing, ...unexpected]
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`), root)
    .slice(0, MAX_PATH_LENGTH);
}

/** RFC 6901. */
function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function wordsOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not allowed';
  if (keyword === 'enum') return `must be one of ${JSON.stringify(params['allowedValues'])}`;
  return message ?? 'does not match the schema';
}
