accordViewer.ItemsView = null;
