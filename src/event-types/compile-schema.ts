import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** What is wrong with a value, at a dotted path. */
export interface SchemaError {
  readonly path: string;
  readonly message: string;
}

/** @returns what is wrong with `data`, at most `MAX_ERRORS`; empty if nothing is */
export type CheckData = (data: unknown) => readonly SchemaError[];

/** The most errors that one check tells. */
export const MAX_ERRORS = 10;

/**
 * Compiles a JSON Schema of the draft 2020-12. Unknown keywords and formats are annotations, as the draft says.
 *
 * @throws Error for a schema that is not valid, or that refers to another document
 */
export function compileSchema(schema: object): CheckData {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: true, logger: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return (data) => (validate(data) ? [] : errorsOf(validate));
}

function errorsOf({ errors }: ValidateFunction): SchemaError[] {
  return (errors ?? []).slice(0, MAX_ERRORS).map((error) => ({ path: pathOf(error), message: wordsOf(error) }));
}

/** `/customer/emails/0` → `data.customer.emails[0]`, as in the details of other errors. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1).map(decodePointer);
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : [];
  const unexpected = keyword === 'additionalProperties' ? [String(params['additionalProperty'])] : [];
  return [...parts, ...missing, ...unexpected].reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`),
    'data',
  );
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
