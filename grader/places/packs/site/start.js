// Says what is missing, in words that every browser can run; where nothing is, site.js takes over.
(function () {
  var needs = document.getElementById("needs");
  if (location.protocol === "file:") {
    needs.textContent = needs.getAttribute("data-served");
  } else if (typeof WebAssembly !== "object" || !("noModule" in HTMLScriptElement.prototype) || !window.ReadableStream) {
    needs.textContent = needs.getAttribute("data-new");
  } else {
    needs.hidden = true;
    var site = document.createElement("script");
    site.type = "module";
    site.src = "site.js";
    document.body.appendChild(site);
  }
})();
