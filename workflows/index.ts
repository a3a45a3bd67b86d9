export { deliverEvent } from './deliver-event';
export { replayDeliveries } from './replay-deliveries';
export { signalDeliveries } from './signal-deliveries';
