import { answerQuestions } from '../platform/answer-questions';
import { checkPage } from './check-page';
import type { PageAnswer, PageQuestion, SchemaRehearsal } from './rehearsal-contract';

answerQuestions(({ change, events }: PageQuestion<SchemaRehearsal>): PageAnswer => checkPage(change, events));
