import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '../app.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query-client';
import { setSurface } from '../api/surface';
import { shareStyleNonce, styleNonce } from '../style-nonce';
import { listenToParent, tellParent } from './parent-page';
import { createPortalRouter } from './portal-router';
import { takeCode } from './portal-session';
import { portalSurface } from './portal-surface';
import { portalTheme, portalVariables, schemeManager } from './portal-theme';

shareStyleNonce();
setSurface(portalSurface);
takeCode();
listenToParent();
const queryClient = createQueryClient();
const router = createPortalRouter(queryClient);

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <MantineProvider
      theme={portalTheme}
      cssVariablesResolver={portalVariables}
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
tellParent('everpost.ready');
