// Follows a run: its stages tick in place, and when it has ended the page's content is exchanged.
"use strict";

(() => {
  const run = document.querySelector("[data-live]");
  if (!run || !window.EventSource) return;

  const source = new EventSource(run.dataset.live);
  const said = () => document.getElementById("said");

  const row = (list, stage) => {
    const found = [...list.children].find((item) => item.dataset.stage === stage.stage);
    if (found) return found;
    const item = list.lastElementChild.cloneNode(true);
    item.dataset.stage = stage.stage;
    item.querySelector(".does").textContent = stage.does;
    list.append(item);
    return item;
  };

  source.addEventListener("stages", (event) => {
    const told = JSON.parse(event.data);
    const list = document.getElementById("stage-list");
    for (const stage of told.stages) {
      const item = row(list, stage);
      if (stage.state === "running" && item.dataset.state !== "running") said().textContent = stage.does;
      item.dataset.state = stage.state;
      item.querySelector(".amount").textContent = stage.amount;
      item.querySelector("[data-word]").textContent = stage.state;
    }
    const chip = run.querySelector("[data-chip] .chip");
    if (chip.textContent !== told.state && told.state !== "done") {
      chip.textContent = told.state;
      chip.className = `chip is-${told.state}`;
    }
  });

  // A refusal ends an EventSource for good: who has been logged out is asked to log in.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 10000);
  });

  source.addEventListener("ended", async () => {
    source.close();
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
    document.title = page.title;
    said().textContent = "The review has ended.";
  });
})();
