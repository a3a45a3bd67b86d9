import {
  isMantineColorScheme,
  mergeThemeOverrides,
  type CSSVariablesResolver,
  type MantineColorScheme,
  type MantineColorSchemeManager,
} from '@mantine/core';
import { cssVariables, theme } from '../theme';
import { look } from './look';
import { shadesOf } from './shades';
import { tabStorage } from './tab-storage';

const BRAND = 'brand';

/** The dashboard's theme in the platform's colour. Colours with a meaning stay: green is delivered, red is failed. */
export const portalTheme =
  look.color === null
    ? theme
    : mergeThemeOverrides(theme, { colors: { [BRAND]: shadesOf(look.color) }, primaryColor: BRAND });

/** The dark scheme's light buttons, as the dashboard's have them. */
export const portalVariables: CSSVariablesResolver = (current) => {
  const { dark, ...others } = cssVariables(current);
  const shades = current.colors[BRAND];
  if (!shades) return { dark, ...others };
  return {
    ...others,
    dark: {
      ...dark,
      [`--mantine-color-${BRAND}-light`]: `color-mix(in srgb, ${shades[3]} 14%, transparent)`,
      [`--mantine-color-${BRAND}-light-hover`]: `color-mix(in srgb, ${shades[3]} 22%, transparent)`,
      [`--mantine-color-${BRAND}-light-color`]: shades[2],
    },
  };
};

const KEY = 'portal-theme';

/** `?theme=` of the address, or what the user chose since; for this tab alone. */
export const schemeManager: MantineColorSchemeManager = {
  get(fallback) {
    const asked = new URLSearchParams(location.search).get('theme') ?? tabStorage.get(KEY);
    if (!isMantineColorScheme(asked)) return fallback;
    tabStorage.set(KEY, asked);
    return asked;
  },
  set: (value: MantineColorScheme) => tabStorage.set(KEY, value),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => tabStorage.set(KEY, null),
};
