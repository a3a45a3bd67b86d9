import { callApi } from '../api/call-api';
import { setConnection, setServerThere, type ConnectionState } from '../live/connection';
import { followStream } from '../live/follow-stream';
import type { SharedListener } from '../live/share-stream';
import { openStream } from './open-stream';

/**
 * Follows the stream of changes for this tab alone: each tab has its own session, and a browser may refuse a framed page
 * what tabs share a stream with.
 *
 * @returns a function that ends it
 */
export function followAlone(_accountId: string, listener: SharedListener): () => void {
  let state: ConnectionState | undefined;
  const end = followStream(
    {
      onConnection(connection, isServerThere) {
        const isNew = connection.state === 'live' && state !== 'live';
        state = connection.state;
        setConnection(connection);
        setServerThere(isServerThere);
        if (isNew) listener.onReady();
      },
      onChange: listener.onChange,
      onEnd() {
        leave();
        // The refusal says whether the session is over, or its account suspended.
        void callApi('/dashboard/api/me')
          .catch(() => undefined)
          .then(() => listener.onEnd());
      },
    },
    openStream,
  );
  const leave = (): void => {
    end();
    setConnection({ state: 'connecting', heardAt: Date.now() });
    setServerThere(true);
  };
  return leave;
}
