import { exactClock } from '../elements/written-time';
import { isBroken, useConnection, type Connection } from './connection';
import classes from './live-state.module.css';

/** Whether the page follows what happens. On a phone it is a dot, and a word while there is no connection. */
export function LiveState() {
  const connection = useConnection();
  return (
    <span
      role="status"
      aria-label="Live updates"
      className={classes['state']}
      data-connection={isBroken(connection.state) ? 'broken' : connection.state}
    >
      <span className={classes['dot']} aria-hidden />
      <span className={classes['word']}>{wordsOf(connection)}</span>
    </span>
  );
}

function wordsOf({ state, heardAt }: Connection): string {
  if (state === 'silent') return `No news since ${exactClock(new Date(heardAt).toISOString())}`;
  return { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', offline: 'Offline' }[state];
}
