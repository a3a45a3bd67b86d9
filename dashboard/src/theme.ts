import {
  Badge,
  createTheme,
  Drawer,
  Menu,
  Modal,
  Notification,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const tide: MantineColorsTuple = [
  '#effcf9',
  '#d3f5ed',
  '#a8e9dc',
  '#72d8c6',
  '#3fc1ad',
  '#1fa593',
  '#128778',
  '#0d6e63',
  '#0b574f',
  '#083f3a',
];

/** Tinted greys. Text in shade 6 and darker has a contrast of 4.5 on white. */
const gray: MantineColorsTuple = [
  '#f7f9fb',
  '#eef2f6',
  '#e1e7ee',
  '#cbd4df',
  '#a9b5c4',
  '#7b889b',
  '#596679',
  '#435064',
  '#2a3444',
  '#151b26',
];

/** From text to the deepest background of the dark scheme. */
const dark: MantineColorsTuple = [
  '#dde3ec',
  '#bcc5d3',
  '#99a5b8',
  '#6b788d',
  '#323c4d',
  '#28313f',
  '#1f2733',
  '#171d27',
  '#10151d',
  '#0a0e14',
];

const red: MantineColorsTuple = [
  '#fef3f2',
  '#fee4e2',
  '#fecdca',
  '#fda29b',
  '#f97066',
  '#e5483d',
  '#c9281e',
  '#a82018',
  '#8a1f18',
  '#5c130e',
];

/** A dialog's header is not another banner of the page. */
const DIALOG = {
  closeButtonProps: { 'aria-label': 'Close' },
  styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
  attributes: { header: { role: 'presentation' } },
} as const;

/** Its text on its own light background has a contrast of 4.5. */
const yellow: MantineColorsTuple = [
  '#fff8e6',
  '#ffefc7',
  '#ffe08f',
  '#ffcf52',
  '#fbbf24',
  '#eda60d',
  '#c98208',
  '#96600a',
  '#744a0c',
  '#5c3a09',
];

/** The look of every page. */
export const theme = createTheme({
  colors: { tide, gray, dark, red, yellow },
  primaryColor: 'tide',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none' } }),
    // In their place in the document, so that they are inside a landmark; every cross has a name.
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: DIALOG }),
    Drawer: Drawer.extend({ defaultProps: DIALOG }),
    // By its name alone: most pages don't load it.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show what is typed' },
      },
    },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
});

/** Colours with a meaning; both schemes keep a contrast of 4.5 for text. */
export const cssVariables: CSSVariablesResolver = ({ colors, primaryColor }) => ({
  variables: {},
  light: {
    '--surface-page': colors.gray[0],
    '--surface-card': '#ffffff',
    '--surface-sunken': colors.gray[1],
    '--border-soft': colors.gray[2],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': colors.red[6],
    '--mantine-color-anchor': colors[primaryColor]![7],
  },
  dark: {
    '--surface-page': colors.dark[8],
    '--surface-card': colors.dark[7],
    '--surface-sunken': colors.dark[6],
    '--border-soft': colors.dark[4],
    '--mantine-color-placeholder': colors.dark[2],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors[primaryColor]![3],
    '--mantine-color-dimmed': colors.dark[2],
    '--mantine-color-tide-light': 'rgb(63 193 173 / 14%)',
    '--mantine-color-tide-light-hover': 'rgb(63 193 173 / 22%)',
    '--mantine-color-tide-light-color': colors['tide']![2],
    '--mantine-color-red-light': 'rgb(249 112 102 / 18%)',
    '--mantine-color-red-light-hover': 'rgb(249 112 102 / 26%)',
    '--mantine-color-red-light-color': colors.red[3],
    '--mantine-color-yellow-light': 'rgb(251 191 36 / 16%)',
    '--mantine-color-yellow-light-hover': 'rgb(251 191 36 / 24%)',
    '--mantine-color-yellow-light-color': colors.yellow[3],
  },
});
