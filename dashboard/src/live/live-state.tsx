import { useConnection, type Connection } from './connection';
import classes from './live-state.module.css';

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
};

/** Whether the page follows what happens. On a phone it is a dot, and a word while there is no connection. */
export function LiveState() {
  const connection = useConnection();
  return (
    <span role="status" aria-label="Live updates" className={classes['state']} data-connection={connection}>
      <span className={classes['dot']} aria-hidden />
      <span className={classes['word']}>{WORDS[connection]}</span>
    </span>
  );
}
