export { deliverEvent } from './deliver-event';
export { replayDeliveries } from './replay-deliveries';
