import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ApiProblem, callApi, inTime } from '../api/call-api';
import { statusPath } from '../session/session-queries';

/**
 * A page that is loaded when it is first opened. When its files can't be loaded, the router reloads the whole
 * application once: a newer build may have replaced them. It must not while the server is down, because the browser
 * would show its own error instead of the application.
 *
 * @param load imports the page's file
 * @param name what the file exports it as
 */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyRouteComponent(async () => {
    try {
      return await inTime('GET', load);
    } catch (error) {
      if (error instanceof ApiProblem) throw error;
      // Throws an ApiProblem unless the server answers.
      await callApi(statusPath);
      throw error;
    }
  }, name);
}
