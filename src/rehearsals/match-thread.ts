import { answerQuestions } from '../platform/answer-questions';
import { matchPage } from './match-page';
import type { EndpointRehearsal, PageAnswer, PageQuestion } from './rehearsal-contract';

answerQuestions(({ change, events }: PageQuestion<EndpointRehearsal>): PageAnswer => matchPage(change, events));
