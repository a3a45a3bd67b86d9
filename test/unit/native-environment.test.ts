it.each([
  ['a time', { at: new Date(1) }, { at: new Date(2) }],
  ['a time in an array', [{ at: new Date(1) }], [{ at: new Date(2) }]],
  ['the text of a time', { at: '1970-01-01T00:00:00.001Z' }, { at: new Date(1) }],
  ['a shorter array', { of: [[1, 2]] }, { of: [[1]] }],
  ['another value in an array of arrays', { of: [[1, 2]] }, { of: [[1, 3]] }],
])('toMatchObject fails for %s', (_what, received, expected) => {
  expect(() => expect(received).toMatchObject(expected)).toThrow('toMatchObject');
});
