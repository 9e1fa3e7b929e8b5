/** What Redoc leaves out for those who use no mouse or see nothing. It draws the page anew more than once. */
new MutationObserver(() => {
  document.querySelector('.menu-content')?.setAttribute('role', 'navigation');
  for (const table of document.querySelectorAll('.md-table-wrapper:not([tabindex])')) table.tabIndex = 0;
}).observe(document, { childList: true, subtree: true });

/** The heading of each page by its address, which Redoc has after the #. */
function headingsOf({ tags, paths, webhooks = {} }) {
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item));
  return new Map([
    ...tags.map((tag) => [`#/${tag.name}`, tag['x-displayName'] ?? tag.name]),
    ...operations.flatMap(({ tags: [tag] = [], operationId = '', summary }) => [
      [`#/${tag}/${operationId.toLowerCase()}`, summary ?? operationId],
    ]),
  ]);
}

/** The title of the page at an address: a place within a page has the title of the page. */
function titleAt(hash, headings, whole) {
  for (let at = hash; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) {
    if (headings.has(at)) return `${headings.get(at)} · ${whole}`;
  }
  return whole;
}

addEventListener('DOMContentLoaded', () => {
  const whole = document.title;
  const headings = headingsOf(docsDefinition);
  const entitle = () => {
    const title = titleAt(location.hash, headings, whole);
    if (document.title !== title) document.title = title;
  };
  entitle();
  addEventListener('hashchange', entitle);
  // Redoc moves from page to page without one.
  new MutationObserver(entitle).observe(document.body, { childList: true, subtree: true });
});
