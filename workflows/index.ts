export { deliverEvent } from './deliver-event';
