/** What Redoc leaves out for those who use no mouse or see nothing. It draws the page anew more than once. */
new MutationObserver(() => {
  document.querySelector('.menu-content')?.setAttribute('role', 'navigation');
  for (const table of document.querySelectorAll('.md-table-wrapper:not([tabindex])')) table.tabIndex = 0;
}).observe(document, { childList: true, subtree: true });
