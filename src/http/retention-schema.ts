import { z } from 'zod';
import { MAX_RETENTION_DAYS, MIN_RETENTION_DAYS } from '../domain/retention';

const RULE = `must be a whole number of days from ${MIN_RETENTION_DAYS} to ${MAX_RETENTION_DAYS}`;

/** For how many days finished events are kept. The installation may allow fewer. */
export const retentionDays = z.int(RULE).min(MIN_RETENTION_DAYS, RULE).max(MAX_RETENTION_DAYS, RULE);
