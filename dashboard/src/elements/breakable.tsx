import { Fragment, type ReactNode } from 'react';

/**
 * A type, URL or address that continues on the next line behind a dot, a slash or the like, and within a word only if the
 * word alone is too long for its line.
 */
export function breakable(text: string): ReactNode {
  return text.split(/(?<=[./_@:?&=-])(?=\w)/).map((part, index) => (
    // The parts of one text never change places.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
