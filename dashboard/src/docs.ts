// The page follows the choice that the user made in the dashboard, where Mantine keeps it under this name.
const scheme = localStorage.getItem('mantine-color-scheme-value');
if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme;
