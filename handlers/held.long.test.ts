/** All that `held.test.ts` can try, and more of each kind. */
import './held.test.ts';
