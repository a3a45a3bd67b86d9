import { setSearchFields } from '../accounts/set-search-fields';
import type { AccountStore } from '../accounts/account-store';
import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import { search, type SearchDeps } from './search';
import { searchFieldsBody, searchFieldsView, searchQuery, searchView } from './schema';

/** What the search, and its setting, need. */
export interface SearchRouteDeps extends SearchDeps {
  readonly accounts: AccountStore;
}

/** Adds the search over everything of an account, and the setting of its search fields. */
export function addSearchRoutes(api: RouteApi, deps: SearchRouteDeps): void {
  // Events, endpoints and event types that match a text, a few of each.
  addRoute(
    api,
    { id: 'search', method: 'get', path: '/dashboard/api/search', query: searchQuery, answer: searchView },
    async ({ query: { q: text }, caller }) => {
      const { accountId, searchFields } = caller;
      return search(deps, { accountId, searchFields, text });
    },
  );

  // Sets the fields of `data` by which events are found from now on.
  addRoute(
    api,
    {
      id: 'setSearchFields',
      method: 'patch',
      path: '/dashboard/api/search-fields',
      body: searchFieldsBody,
      answer: searchFieldsView,
      recordsItself: true,
    },
    async ({ body, caller }) => {
      const { accountId, actor, address } = caller;
      const change = { accountId, fields: body.search_fields, replaces: body.replaces };
      return { search_fields: await setSearchFields(deps, change, { actor, address }) };
    },
  );
}
