import type { Provider } from '../../../src/domain/catalog';
import classes from './estimator.module.css';
import { PROVIDER_COLORS } from './names';

/** The colour of a provider, always beside its name. */
export function ProviderDot({ provider }: { readonly provider: Provider }) {
  return <span aria-hidden className={classes['dot']} style={{ background: PROVIDER_COLORS[provider] }} />;
}
