import { ENDPOINT_NAME, isExternalAccountId, isExternalEndpointId } from '../../src/domain/external-id';

it.each(['cus_42', 'a', 'org:7@eu-1.x', 'x'.repeat(128), '...', 'ep', 'acc'])('%s can be an id of a caller', (text) => {
  expect([isExternalAccountId(text), isExternalEndpointId(text)]).toEqual([true, true]);
});

// A client of a URL resolves the last two: nothing could call them by that name.
it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a\n', '.', '..'])('%j can be none', (text) => {
  expect([isExternalAccountId(text), isExternalEndpointId(text), ENDPOINT_NAME.test(text)]).toEqual([
    false,
    false,
    false,
  ]);
});

it('no id of a caller looks like one of ours', () => {
  expect([isExternalAccountId('acc_1'), isExternalEndpointId('ep_1'), ENDPOINT_NAME.test('ep_1')]).toEqual([
    false,
    false,
    false,
  ]);
});
