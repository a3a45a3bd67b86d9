/** Where the cost estimator is served; what is below it has its limits too. */
export const ESTIMATOR_PATH = '/api/cost-estimator';

/** Ids of its operations, in the OpenAPI document and in the log of usage, by method. */
export const ESTIMATOR_OPERATIONS: Readonly<Record<string, string>> = { GET: 'getCatalog', POST: 'estimateCost' };
