import { answerQuestions } from '../platform/answer-questions';
import { checkPage } from './check-page';
import { matchPage } from './match-page';
import type { PageAnswer, PageQuestion } from './rehearsal-contract';

answerQuestions(({ change, events }: PageQuestion): PageAnswer => {
  return change.kind === 'endpoint' ? matchPage(change, events) : checkPage(change, events);
});
