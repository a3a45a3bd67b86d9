import { useQuery, useQueryClient, type InfiniteData, type Query } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { viewerQuery, signOutKey } from '../session/session-queries';
import type { ChangeMessage } from '../../../src/domain/change-kinds';
import { createNews } from './news';
import { shareStream } from './share-stream';

/**
 * A busy account changes all the time. Each query that asks again takes a turn: 20 in a minute, and a few at once after a
 * quiet time. With what a page asks for itself, a window stays below 30 requests in a minute.
 */
const TURN_MS = 3_000;
const MAX_SAVED_TURNS = 3;

/** A session that has ended while a form is open. */
interface EndedSession {
  /** Whether the page waits for a new sign-in: leaving it would lose what was entered. */
  readonly hasEnded: boolean;
  /** Goes on with a new session of the same user. */
  goOn(): void;
}

/**
 * Keeps what is shown up to date: the server tells what changed, and the page asks for that again. After a broken
 * connection it asks for everything.
 *
 * @param follow how it hears of changes; the same function at every call
 */
export function useLiveUpdates(follow: typeof shareStream = shareStream): EndedSession {
  const client = useQueryClient();
  const router = useRouter();
  const { data: me } = useQuery({ ...viewerQuery, enabled: false });
  const accountId = me?.account.id;
  const [isEnded, setIsEnded] = useState(false);
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => {
    if (accountId === undefined || isEnded) return undefined;
    const news = createNews();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let nextTurnAt = Number.NEGATIVE_INFINITY;
    const look = (): void => {
      timer = undefined;
      const isNews = news.take();
      const predicate = (query: Query): boolean => !standsStill(query) && isNews(query);
      const turns = client.getQueryCache().findAll({ type: 'active', predicate }).length;
      const saved = performance.now() - MAX_SAVED_TURNS * TURN_MS;
      nextTurnAt = Math.max(nextTurnAt, saved) + turns * TURN_MS;
      void client.invalidateQueries({ predicate });
    };
    const lookSoon = (): void => {
      timer ??= setTimeout(look, Math.max(0, nextTurnAt - performance.now()));
    };
    const end = follow(accountId, {
      onReady() {
        news.addEverything();
        lookSoon();
      },
      onChange(data) {
        news.add(JSON.parse(data) as ChangeMessage);
        lookSoon();
      },
      onEnd() {
        // A sign-out ends the stream, maybe before its own answer, and goes to the sign-in page itself.
        if (client.isMutating({ mutationKey: signOutKey }) > 0) return;
        // The page asks again who is signed in, and learns why the session is over.
        setIsEnded(true);
        if (hasOpenForm()) return setHasEnded(true);
        client.clear();
        // A user may have signed in again in another tab meanwhile.
        void router.invalidate().then(() => setIsEnded(false));
      },
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [client, router, accountId, isEnded, follow]);
  return {
    hasEnded,
    goOn() {
      setHasEnded(false);
      setIsEnded(false);
      void client.invalidateQueries();
    },
  };
}

/** Whether something was entered that would be lost. */
export function hasOpenForm(): boolean {
  return document.querySelector('[role="dialog"] form') !== null;
}

/** Whether it is a list of pages: those stand still, and `useLiveList` asks for what is new. */
function standsStill({ state: { data, fetchMeta } }: Query): boolean {
  const { pages } = (data ?? {}) as Partial<InfiniteData<unknown>>;
  return fetchMeta?.fetchMore !== undefined || Array.isArray(pages);
}
