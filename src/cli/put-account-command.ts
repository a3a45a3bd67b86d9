import type { Command } from 'commander';
import type { z } from 'zod';
import { presentAccount } from '../account-lifecycle/present';
import { putAccount } from '../account-lifecycle/put-account';
import { putAccountBody, type PutAccountBody } from '../account-lifecycle/schema';
import { EXTERNAL_ID_RULE, isExternalAccountId, isOwnAccountId } from '../domain/external-id';
import { InvalidRequestError } from '../domain/errors';
import type { CommandLine, Options } from './command-line';

/** `everpost account put`: what `PUT /api/v1/accounts/{external_id}` does, when the API is down too. */
export function addPutAccount(account: Command, { add, run }: CommandLine): void {
  add(account, 'put', 'create the account of an external id, or change it: what is not named stays as it is')
    .requiredOption('--external-id <id>', 'your own id of the account')
    .option('--name <name>', 'its name; an empty one removes it')
    .option('--email <email>', 'its e-mail address; an empty one removes it')
    .option('--tier <tier>', 'tier id (default of a new account: ACCOUNTS_DEFAULT_TIER)')
    .option('--limits <json>', 'own limits, such as {"per_minute":600}; null removes them')
    .option('--search-fields <fields>', 'fields of `data` by which events are found, separated by commas')
    .option('--body <shape>', 'of deliveries: envelope, data, standard or cloudevents; an empty one removes it')
    .option('--event-types <mode>', 'open, warn or strict; an empty one is that of the installation')
    .option('--retention-days <days>', 'for how many days finished events are kept; an empty one is that of RETENTION')
    .option('--metadata <json>', 'map of texts, such as {"plan":"gold"}; null removes it')
    .option('--status <status>', 'active or suspended')
    .action(
      run(async (deps, options) => {
        const { limits, retentionMs } = deps.config;
        const all = { ...deps, defaultTier: limits.defaultTier, retentionMs };
        const put = await putAccount(all, readId(options['externalId']!), readBody(options), deps.by);
        return presentAccount(put.account);
      }),
    );
}

function readId(text: string): string {
  if (isOwnAccountId(text) || isExternalAccountId(text)) return text;
  throw new InvalidRequestError(`--external-id ${EXTERNAL_ID_RULE}.`);
}

function readBody({
  name,
  email,
  tier,
  limits,
  searchFields,
  body: shape,
  eventTypes,
  retentionDays,
  metadata,
  status,
}: Options): PutAccountBody {
  const given = {
    name: name === '' ? null : name,
    email: email === '' ? null : email,
    tier,
    limits: readJson('--limits', limits),
    search_fields: searchFields === '' ? [] : searchFields?.split(',').map((field) => field.trim()),
    defaults: shape === '' ? null : shape && { body: shape },
    event_types: eventTypes === '' ? null : eventTypes,
    retention_days: retentionDays === '' ? null : retentionDays && Number(retentionDays),
    metadata: readJson('--metadata', metadata),
    status,
  };
  const body = putAccountBody.safeParse(given);
  if (body.success) return body.data;
  const [{ path, message }] = body.error.issues as [z.core.$ZodIssue];
  const [field, ...inside] = path.map(String).filter((part) => part !== 'defaults');
  throw new InvalidRequestError(`--${[field?.replaceAll('_', '-'), ...inside].join('.')} ${message}.`);
}

function readJson(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequestError(`${option} must be JSON.`);
  }
}
