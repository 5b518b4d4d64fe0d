accordViewer.TextsView = null;
