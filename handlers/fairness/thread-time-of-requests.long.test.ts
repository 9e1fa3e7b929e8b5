/** All that `thread-time-of-requests.test.ts` can try, and more of each kind. */
import './thread-time-of-requests.test.ts';
