importScripts('crowd_main.js', 'crowd.js');
