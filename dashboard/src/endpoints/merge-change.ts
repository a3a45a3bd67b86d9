import type { Endpoint } from '../api/answers';
import type { ChangedMeanwhile } from './change-unless-changed';
import { draftOf, type EndpointDraft } from './endpoint-draft';
import { differingFields, withFieldsOf, type EndpointField } from './endpoint-fields';

/** A change of an endpoint that a person is making. */
export interface Edit {
  /** The endpoint that the draft is a change of. */
  readonly opened: Endpoint;
  readonly draft: EndpointDraft;
  /** What others changed since, as of the last try to save. */
  readonly changed?: ChangedMeanwhile;
  /** The fields among them that the person had changed too. */
  readonly changedByBoth: readonly EndpointField[];
}

/** A form that has just been opened. */
export function editOf(endpoint: Endpoint): Edit {
  return { opened: endpoint, draft: draftOf(endpoint), changedByBoth: [] };
}

/** Takes over what only others changed. What both changed stays as the person has it. */
export function mergedWith({ opened, draft }: Edit, changed: ChangedMeanwhile): Edit {
  const { endpoint, fields } = changed;
  const own = differingFields(draft, draftOf(opened));
  const taken = fields.filter((field) => !own.includes(field));
  return {
    opened: endpoint,
    draft: withFieldsOf(draft, draftOf(endpoint), taken),
    changed,
    changedByBoth: fields.filter((field) => own.includes(field)),
  };
}
