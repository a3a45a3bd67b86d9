import { Link } from '@tanstack/react-router';
import classes from './shell.module.css';

/** The mark and the name; leads to the dashboard. */
export function Brand() {
  return (
    <Link to="/dashboard" className={classes['brand']}>
      <img src="/favicon.svg" alt="" width={28} height={28} />
      Everpost
    </Link>
  );
}
