import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryState } from '../src/domain/delivery-state';

const STATE = defineSearchAttributeKey('EverpostState', 'KEYWORD');

/** Shows the delivery's state in Temporal's lists: `EverpostState="retrying"`. */
export function showState(state: DeliveryState): void {
  upsertSearchAttributes([{ key: STATE, value: state }]);
}
